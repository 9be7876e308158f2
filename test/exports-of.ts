/** What a package exports, and what its page of the docs says that it does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './cli/run-command.ts'

/** Each name that an index exports, with the file that it comes from. */
export function exportsOf(index: string): readonly { readonly name: string; readonly file: string }[] {
  const source = readFileSync(join(ROOT, index), 'utf8')
  return [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(([, names = '', file = '']) =>
    names.split(',').flatMap((name) => {
      const plain = name.trim().replace(/^type /, '')
      return plain === '' ? [] : [{ name: plain, file: join(ROOT, index, '..', file) }]
    }),
  )
}

/** The names in the table under "All that is exported". */
export function listedExports(page: string): string[] {
  const table = page.slice(page.indexOf('## All that is exported'))
  return [...table.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, names = '']) => names.replaceAll('`', '').split(', '))
}
