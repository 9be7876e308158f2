/** Writes the JSON Schema of callboard.yaml to its file. */
import { writeFileSync } from 'node:fs'
import { jsonSchema } from '../packages/callboard/src/config/json-schema.ts'

const file = new URL('../packages/callboard/callboard.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(jsonSchema(), null, 2)}\n`)
