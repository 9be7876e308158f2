/** Hands the events that plugins publish to those that subscribed to them. */
import type { Struct } from './tool-values.ts'

export interface PluginEvent {
  readonly topic: string
  readonly eventType: string
  readonly payload: Struct | undefined
  /** Of the payload as JSON, about what each that hears of it costs. */
  readonly bytes: number
  /** The id of the plugin that published it. */
  readonly sourcePlugin: string
}

/** What somebody wants to hear of. */
export interface Subscription {
  /** Exactly this topic. */
  readonly topic: string
  /** What the payload must have, each as text. */
  readonly filters: Readonly<Record<string, string>>
  /** Must neither wait nor throw. */
  readonly deliver: (event: PluginEvent) => void
}

/** One for a host: its plugins hear of each other, and of themselves. */
export class EventBus {
  readonly #subscriptions = new Set<Subscription>()

  /** Returns the way to end it. */
  subscribe(subscription: Subscription): () => void {
    this.#subscriptions.add(subscription)
    return () => void this.#subscriptions.delete(subscription)
  }

  publish(event: PluginEvent): void {
    for (const subscription of this.#subscriptions) if (fits(subscription, event)) subscription.deliver(event)
  }
}

function fits({ topic, filters }: Subscription, { topic: published, payload = {} }: PluginEvent): boolean {
  return topic === published && Object.entries(filters).every(([name, value]) => payload[name] === value)
}
