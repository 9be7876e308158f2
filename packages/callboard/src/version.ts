/** The version of this package, as its manifest says; the same file is found from source and from what is published. */
import { createRequire } from 'node:module'

const manifest: { readonly version: string } = createRequire(import.meta.url)('callboard/package.json')

export const version: string = manifest.version
