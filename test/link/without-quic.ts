/** A Node in which the native part of QUIC is not there. */

const WITHOUT = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    if (name.startsWith('@matrixai/')) throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  },
})`

/** What Node is started with to make the package look as where npm found none for the platform. */
export const WITHOUT_QUIC: readonly string[] = ['--import', `data:text/javascript,${encodeURIComponent(WITHOUT)}`]
