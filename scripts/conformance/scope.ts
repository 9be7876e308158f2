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

/** Why the scenario is not one that Callboard must pass; undefined for one that it must, as every new one does. */
export function whyOutOfScope(scenario: string): string | undefined {
  return reasonIn(OUT_OF_SCOPE, scenario)
}

/** The same with a server of the other era behind Callboard. */
export function whyOutOfScopeAcross(scenario: string): string | undefined {
  return whyOutOfScope(scenario) ?? reasonIn(NOT_ACROSS, scenario)
}

function reasonIn(list: typeof OUT_OF_SCOPE, scenario: string): string | undefined {
  return list.find(([beginning]) => scenario.startsWith(beginning))?.[1]
}
