/** Words that tools use for one and the same thing; whoever searches for one of them means the others as well. */
import { stemmer } from 'stemmer'

/** The first groups are what tools do, the others what they do it to. A word stands in one group only. */
const GROUPS: readonly string[] = [
  'list show get fetch retrieve read view display enumerate lookup',
  'find search query locate discover',
  'create add new make insert open',
  'delete remove erase drop destroy',
  'update edit modify change set patch rename',
  'send post submit publish share',
  'run execute invoke call trigger launch',
  'start begin resume enable activate',
  'stop end cancel abort pause disable terminate kill',
  'write save store append',
  'convert transform translate',
  'copy duplicate clone',
  'check verify validate test inspect',
  'compute calculate evaluate',
  'merge combine join concatenate',
  'analyze analyse assess examine',
  'generate produce draw render',
  'summarize summarise summary digest',
  'issue bug ticket defect',
  'directory folder',
  'image picture photo',
  'mail email',
  'repository repo',
  'database db',
  'document doc',
  'price cost fee',
  'person people user member',
]

const GROUP_OF: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap((group, i) => group.split(' ').map((word) => [stemmer(word), `group ${i}`] as const)),
)

/**
 * Longer stems that begin with the same letters, so many, are mostly of one family: "translat" and "translit" are rare.
 */
const FAMILY = 6
const LETTERS = /^\p{L}+$/u

/** What stems have in common that mean much the same: a group of synonyms, or how they begin. */
export function kinshipOf(stem: string): string | undefined {
  return GROUP_OF.get(stem) ?? (stem.length > FAMILY && LETTERS.test(stem) ? stem.slice(0, FAMILY) : undefined)
}
