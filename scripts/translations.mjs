/*
| Lists texts of the web interface that are not translated: `npm run translations`. The interface shows them in English. Exits
| with 1 if there are any.
*/
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

const ROOT = fileURLToPath(new URL('../resources/lang', import.meta.url))

const textsIn = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

let missing = 0
for (const language of readdirSync(ROOT).filter((name) => name !== 'en')) {
  for (const file of readdirSync(join(ROOT, 'en'))) {
    const translated = textsIn(join(ROOT, language, file))
    for (const [key, text] of Object.entries(textsIn(join(ROOT, 'en', file)))) {
      if (key in translated) continue
      missing++
      console.log(`${language}/${file} ${key}: ${JSON.stringify(text)}`)
    }
  }
}
console.log(`${missing} missing`)
process.exitCode = missing > 0 ? 1 : 0
