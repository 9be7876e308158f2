/** TLS keeps the port `Link`. */
import { linkContract } from '../contracts/link.contract.ts'

linkContract('tls')
