/** Runs the soak (`--minutes N`, 15 by default), writes its figures into docs/performance.md (not with `--dry`), and ends with 1 when something is wrong. */
import { writeSection } from './page.ts'
import { runSoak } from './soak/run-soak.ts'
import { soakFaults, soakPage } from './soak/soak-page.ts'

const at = process.argv.indexOf('--minutes')
const minutes = at < 0 ? 15 : Number(process.argv[at + 1])
if (!(minutes > 0)) throw new Error('--minutes needs a number of minutes, such as 0.5')

const report = await runSoak(minutes)
const markdown = soakPage(report)
console.log(markdown)
const faults = soakFaults(report)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else if (!process.argv.includes('--dry')) writeSection('soak', markdown)
