/** All that a search reads of tools, by slot. */
import { ExactNames } from './exact-names.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { TextScan } from './text-scan.ts'
import { WordIndex } from './word-index.ts'

/**
 * Sizes of the signatures by which texts are passed over, for names of some thirty letters and descriptions of some two
 * hundred.
 */
const NAME_BITS = 128
const DESCRIPTION_BITS = 512

/** The names, descriptions and words of the tools, each in the form in which it is searched. */
export class ToolTexts {
  readonly words: WordIndex = new WordIndex()
  readonly names: TextScan = new TextScan(NAME_BITS)
  readonly descriptions: TextScan = new TextScan(DESCRIPTION_BITS)
  readonly exactNames: ExactNames = new ExactNames()

  add(slot: number, tool: SearchableTool): void {
    this.words.add(slot, tool)
    this.names.set(slot, tool.entry.name)
    this.descriptions.set(slot, tool.entry.description)
    this.exactNames.add(slot, tool)
  }

  /** The slot may be used again after the next `sweep`. */
  remove(slot: number): void {
    this.words.remove(slot)
    this.names.forget(slot)
    this.descriptions.forget(slot)
    this.exactNames.remove(slot)
  }

  sweep(isGone: (slot: number) => boolean): void {
    this.words.sweep(isGone)
  }
}
