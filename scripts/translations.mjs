/*
| Lists the texts of the web interface that languages lack: `npm run translations`. They are said in English until somebody
| translates them. Ends with 1 where there are some.
*/
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

const ROOT = fileURLToPath(new URL('../resources/lang', import.meta.url))

const textsIn = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

let missing = 0
for (const language of readdirSync(ROOT).filter((name) => name !== 'en')) {
  for (const file of readdirSync(join(ROOT, 'en'))) {
    const own = textsIn(join(ROOT, language, file))
    for (const [key, text] of Object.entries(textsIn(join(ROOT, 'en', file)))) {
      if (key in own) continue
      missing++
      console.log(`${language}/${file} ${key}: ${JSON.stringify(text)}`)
    }
  }
}
console.log(`${missing} missing`)
process.exitCode = missing > 0 ? 1 : 0
