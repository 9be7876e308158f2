/** Writes the JSON Schemas of callboard.yaml and plugin.yaml to their files. */
import { writeFileSync } from 'node:fs'
import { jsonSchema } from '../packages/callboard/src/config/json-schema.ts'
import { manifestJsonSchema } from '../packages/callboard/src/config/manifest/manifest-json-schema.ts'

const schemas = { callboard: jsonSchema(), plugin: manifestJsonSchema() }
for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../packages/callboard/${name}.schema.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
}
