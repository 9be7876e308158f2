/** A moment as a person on this machine reads it. */

/** `2026-08-31 14:02:11`, in the time zone of this process. */
export function localTime(milliseconds: number): string {
  // The Swedish way to write it is the one that sorts.
  return new Date(milliseconds).toLocaleString('sv-SE')
}
