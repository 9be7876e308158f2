/** Tells the lines that say what went wrong from those that say where. */

/** Lines that say where something went wrong, or say it once more, as Node writes them; none of them says what it was. */
const NOT_WHY: readonly RegExp[] = [
  // A frame, or how many were left out.
  /^\s+(?:at |\.\.\. \d)/,
  // The place in Node's own code, and what stands there.
  /^node:\S+:\d+$/,
  /^\s*throw (?:err;|new ERR_)/,
  // The mark below that, brackets, and nothing at all.
  /^[^\p{L}\p{N}]*$/u,
  /^\s+(?:code: '(?:ERR_)?MODULE_NOT_FOUND'|requireStack: \[)/,
  /^\(Use `node /,
  /^Node\.js v\d/,
]

/** Whether the line may say why a program ended. */
export function saysWhy(line: string): boolean {
  return !NOT_WHY.some((lines) => lines.test(line))
}
