import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import { apiDescription } from '#controllers/api/description/api'
import { homePath } from '#start/home'

test.group('The types of the API', () => {
  test('are those of the description: npm run api:types', async ({ assert }) => {
    const child = spawn(process.execPath, [homePath('scripts/api_types.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(JSON.stringify(apiDescription()))
    const made = await text(child.stdout)
    const kept = readFileSync(homePath('tests/support/openapi/api_types.d.ts'), 'utf8')
    assert.isTrue(made === kept, 'They are not: npm run api:types')
  }).timeout(60_000)
})
