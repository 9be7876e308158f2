/** Which scenarios of the conformance suite Callboard is held to, and why not to the others. */

const PROMPTS = 'prompts are not relayed'
const RESOURCES = 'resources are not relayed'
const ASKING = 'what a server asks of its client is not relayed'
const TASKS = 'an extension that Callboard does not have'

/** By the beginning of a scenario's name. */
const OUT_OF_SCOPE: readonly (readonly [beginning: string, reason: string])[] = [
  ['prompts-', PROMPTS],
  ['completion-', PROMPTS],
  ['resources-', RESOURCES],
  ['sep-2164-resource-not-found', RESOURCES],
  ['caching', 'it needs prompts and resources too'],
  ['tools-call-sampling', ASKING],
  ['tools-call-elicitation', ASKING],
  ['elicitation-', ASKING],
  ['input-required-', ASKING],
  ['tasks-', TASKS],
]

/** What is out of scope, besides, where the server behind Callboard is of the other era. */
const NOT_ACROSS: readonly (readonly [beginning: string, reason: string])[] = [
  ['server-stateless', 'a server of the older era can not say in which capability its client is wanting'],
]

/** Where fewer checks pass through Callboard than directly because there is nothing to check: how many, and why. */
const FEWER_CHECKS: readonly (readonly [scenario: string, howMany: number, reason: string])[] = [
  ['server-sse-multiple-streams', 1, 'answers that come soon are plain JSON, so there are no streams to be read'],
  [
    'server-sse-polling',
    1,
    'the stream to the client stays open when the server closes its own, so nothing is resumed',
  ],
  ['server-stateless', 1, 'changes of prompts are not relayed, so none is announced'],
]

/** Why the scenario is not one that Callboard must pass; undefined for one that it must, as every new one does. */
export function whyOutOfScope(scenario: string): string | undefined {
  return reasonIn(OUT_OF_SCOPE, scenario)
}

/** The same with a server of the other era behind Callboard. */
export function whyOutOfScopeAcross(scenario: string): string | undefined {
  return whyOutOfScope(scenario) ?? reasonIn(NOT_ACROSS, scenario)
}

/** Why this many checks of the scenario are missing without a fault of Callboard's; undefined where nothing says so. */
export function whyFewerChecks(scenario: string, missing: number): string | undefined {
  return FEWER_CHECKS.find(([name, howMany]) => name === scenario && missing > 0 && missing <= howMany)?.[2]
}

function reasonIn(list: typeof OUT_OF_SCOPE, scenario: string): string | undefined {
  return list.find(([beginning]) => scenario.startsWith(beginning))?.[1]
}
