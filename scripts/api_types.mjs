/*
| TypeScript types of the API, made of its description: reads the description on standard input, and writes the types
| to the file that is named, or to standard output. `npm run api:types` keeps those of the tests current.
*/
import { writeFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'

const HEAD =
  '// Made by `npm run api:types` of the description of the API. Not to be changed by hand.\n'

/** What the description says to people; types are smaller without. */
const WORDS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags'])

/** The same without words. Members of `properties` are names of the API's own, whatever they are. */
function withoutWords(value, areNames = false) {
  if (Array.isArray(value)) {
    return value.map((one) => withoutWords(one))
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const kept = Object.entries(value).filter(([name]) => areNames || !WORDS.has(name))
  return Object.fromEntries(
    kept.map(([name, one]) => [name, withoutWords(one, name === 'properties' && !areNames)])
  )
}

const description = withoutWords(await json(process.stdin))
const types = HEAD + astToString(await openapiTS(description))
const [file] = process.argv.slice(2)
if (file) {
  writeFileSync(file, types)
} else {
  process.stdout.write(types)
}
