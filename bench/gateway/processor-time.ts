/** What a process has used, read from outside of it. */
import { readFileSync } from 'node:fs'

/** Of Linux's clock in /proc, which is fixed for programs whatever the kernel's own. */
const TICKS_PER_SECOND = 100

/** User and system time of a process so far, in milliseconds, to the nearest ten; undefined where there is no /proc. */
export function processorMs(pid: number): number | undefined {
  const stat = read(pid, 'stat')
  // The name in parentheses may itself contain spaces, so counting begins behind it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined ? undefined : ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** Memory held by a process, in megabytes; undefined where there is no /proc. */
export function residentMb(pid: number): number | undefined {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
