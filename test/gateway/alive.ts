/** Whether processes are there. */
import { spawnSync } from 'node:child_process'

/** One that has ended is not alive, even where nobody has asked for its exit code yet. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
