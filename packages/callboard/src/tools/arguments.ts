/** The JSON Schema of a tool's arguments; the SDK's, because its testing kit has to take them for the same. */
export { inputSchemaOf } from '@callboard/sdk/host'
