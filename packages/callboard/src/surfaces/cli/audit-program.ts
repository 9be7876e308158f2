/** The command `audit` with its options and help texts. */
import { type Command, Option } from 'commander'
import { SURFACES } from '../../catalog/is-offered.ts'
import { CALL_OUTCOMES } from '../../invoke/call-record.ts'
import type { AuditOptions } from './commands/audit.ts'
import { addGlobalOptions } from './global-options.ts'
import { duration, wholeNumber } from './option-values.ts'
import type { Perform } from './perform.ts'

export function addAudit(program: Command, { perform }: { readonly perform: Perform }): void {
  addGlobalOptions(program.command('audit').description('show what was recorded of calls, the newest last'))
    .option('--by <name>', 'only calls of this user')
    .option('--tool <name>', 'only calls of this tool')
    .option('--plugin <id>', 'only calls of tools of this plugin')
    .addOption(new Option('--outcome <outcome>', 'only calls that ended so').choices(CALL_OUTCOMES))
    .addOption(new Option('--surface <surface>', 'only calls that came this way').choices(SURFACES))
    .option('--since <duration>', 'only calls that ended in the last 30m, 2h or 7d', duration)
    .option('--limit <n>', 'the last so many; 0 is all', wholeNumber, 50)
    .option('--follow', 'go on with the calls to come, until Ctrl-C')
    .action((options: AuditOptions, command: Command) =>
      perform({ ...command.optsWithGlobals(), alone: true }, async (context) =>
        (await import('./commands/audit.ts')).audit(context, options),
      ),
    )
}
