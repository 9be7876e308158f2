/** One model provider of a bridge: sends it requests, and reads what it answers. Importing this reads the AI SDK. */
import { generateText, jsonSchema, type LanguageModelUsage, type ModelMessage, Output, streamText } from 'ai'
import type { AiProvider } from '../../config/config.ts'
import type { Log } from '../../log.ts'
import type { AiFailureKind } from '../ai-answer.ts'
import { Attempts, type AttemptsOptions } from './attempts.ts'
import { type LanguageModels, openModels } from './language-models.ts'
import type { PromptRequest, WantedObject } from './prompt-request.ts'
import { ProviderError, providerErrorOf, type Spent, spentOf } from './provider-error.ts'

/** What a model wrote. */
export interface ModelAnswer extends Spent {
  readonly text: string
  /** The object, where one was asked for. */
  readonly object?: Readonly<Record<string, unknown>>
}

export interface ModelProviderOptions {
  readonly provider: AiProvider
  readonly log: Log
  /** `onChange` is told when `trouble` is something else. */
  readonly attempts: AttemptsOptions
}

/** A schema of any caller seldom keeps the rules of strict ones. */
const LENIENT = { strictJsonSchema: false }

/** By the name under which each package looks. */
const OPTIONS: Readonly<Record<AiProvider['api'], Readonly<Record<string, Readonly<Record<string, boolean>>>>>> = {
  // A prompt is not to be stored elsewhere unasked.
  openai: { openai: { ...LENIENT, store: false } },
  anthropic: {},
  google: {},
  'openai-compatible': { openaiCompatible: LENIENT },
}

let warningsLog: Log | undefined

/**
 * The SDK would write its warnings to standard error by itself, and knows no way for one caller; an application may
 * have its own.
 */
function logWarnings({ warnings }: { readonly warnings: readonly unknown[] }): void {
  warningsLog?.debug({ warnings }, 'a model does not take all that was asked')
}

export class ModelProvider {
  readonly #provider: AiProvider
  readonly #models: LanguageModels
  readonly #attempts: Attempts
  readonly #log: Log

  private constructor({ provider, log, attempts }: ModelProviderOptions, models: LanguageModels) {
    this.#provider = provider
    this.#models = models
    this.#log = log
    this.#attempts = new Attempts(attempts)
  }

  /** Reads what is needed to speak to it; nothing is sent. */
  static async open(options: ModelProviderOptions): Promise<ModelProvider> {
    warningsLog = options.log
    globalThis.AI_SDK_LOG_WARNINGS ??= logWarnings
    return new ModelProvider(options, await openModels(options.provider))
  }

  /** Why it is not asked at present, fit to be shown. */
  get trouble(): string | undefined {
    return this.#attempts.trouble
  }

  /** The whole answer, once it is there. Throws `ProviderError`, and the reason of the signal. */
  prompt(request: PromptRequest, signal: AbortSignal): Promise<ModelAnswer> {
    return this.#attempts.run({ signal, mayRepeat: () => true, run: () => this.#generate(request, signal) })
  }

  /** The same; tells each piece of the text as it comes. */
  stream(request: PromptRequest, signal: AbortSignal, onText: (text: string) => void): Promise<ModelAnswer> {
    let text = ''
    return this.#attempts.run({
      signal,
      mayRepeat: () => text === '',
      run: () =>
        this.#stream(request, signal, (piece) => {
          text += piece
          onText(piece)
        }).catch((thrown: unknown) => {
          throw text === '' || signal.aborted ? thrown : interrupted(thrown)
        }),
    })
  }

  async #generate(request: PromptRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const settings = this.#settingsOf(request, signal)
    if (request.object === undefined) {
      const { text, finishReason, usage } = await generateText(settings)
      return answerOf(text, finishReason, usage)
    }
    const output = Output.object({ schema: checkedObject(request.object) })
    const { text, finishReason, usage, output: object } = await generateText({ ...settings, output })
    return { ...answerOf(text, finishReason, usage), object }
  }

  async #stream(request: PromptRequest, signal: AbortSignal, onText: (text: string) => void): Promise<ModelAnswer> {
    let text = ''
    // Without a listener it would write errors to standard error by itself; they are in the stream too.
    const { stream } = streamText({ ...this.#settingsOf(request, signal), onError: () => undefined })
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') signal.throwIfAborted()
      if (part.type === 'finish') return answerOf(text, part.finishReason, part.totalUsage)
      if (part.type !== 'text-delta' || part.text === '') continue
      text += part.text
      onText(part.text)
    }
    throw new ProviderError({ kind: 'unavailable', reason: 'the answer has no end', isPassing: true })
  }

  #settingsOf({ model, messages, system, maxTokens, temperature }: PromptRequest, abortSignal: AbortSignal) {
    const { provider, api } = this.#provider
    this.#log.debug({ provider, model }, 'a model is asked')
    return {
      model: this.#models(model),
      messages: messages.map(messageOf),
      abortSignal,
      // Each attempt goes by the breaker, so the attempts are made here.
      maxRetries: 0,
      providerOptions: OPTIONS[api],
      ...(system !== undefined && { instructions: system }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(temperature !== undefined && { temperature }),
    }
  }
}

function messageOf({ role, content }: PromptRequest['messages'][number]): ModelMessage {
  if (role === 'assistant') return { role, content: content.flatMap((part) => (part.type === 'text' ? [part] : [])) }
  return {
    role,
    content: content.map((part) =>
      part.type === 'text'
        ? part
        : // As bytes: a text could be taken for an address, and fetched from here.
          { type: 'file', mediaType: part.mimeType, data: { type: 'data', data: Buffer.from(part.data, 'base64') } },
    ),
  }
}

/** Why an answer is over that its model did not end. */
const NO_END: ReadonlySet<string> = new Set(['other', 'interrupted', 'error'])

function answerOf(text: string, finishReason: string, usage: LanguageModelUsage): ModelAnswer {
  const spent = spentOf(finishReason, usage)
  const fail = (kind: AiFailureKind, reason: string): never => {
    throw new ProviderError({ kind, reason, isPassing: false, spent })
  }
  if (finishReason === 'content-filter') fail('content_filter', 'the answer was held back')
  if (text === '' && NO_END.has(finishReason)) fail('unreadable', 'there is no answer in what it sent')
  if (finishReason === 'interrupted' || finishReason === 'error') fail('interrupted', 'the answer has no end')
  return { text, ...spent }
}

/** Not every provider keeps to a schema that it was given. */
function checkedObject({ schema, problems }: WantedObject) {
  return jsonSchema<Readonly<Record<string, unknown>>>(schema, {
    validate: (value) => {
      const found = problems(value)
      if (found.length > 0) return { success: false, error: new Error(found.join('; ')) }
      return { success: true, value: Object.fromEntries(Object.entries(Object(value))) }
    },
  })
}

/** A part of the answer is with the caller already, so it can't be asked for again. */
function interrupted(thrown: unknown): unknown {
  const error = providerErrorOf(thrown)
  const { kind, reason, spent } = error.failure
  if (kind !== 'unavailable' && kind !== 'unreadable') return error
  return new ProviderError(
    { kind: 'interrupted', reason: `the answer broke off: ${reason}`, isPassing: false, ...(spent && { spent }) },
    { cause: thrown },
  )
}
