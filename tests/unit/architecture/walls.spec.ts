import { test } from '@japa/runner'
import { ESLint } from 'eslint'

/** Lints code as if it stood in that file; returns the messages of the rule that keeps the rooms apart. */
async function wallMessages(filePath: string, code: string): Promise<string[]> {
  const [result] = await new ESLint().lintText(`${code}\n`, { filePath })
  return result.messages
    .filter((message) => message.ruleId === 'no-restricted-imports')
    .map((message) => message.message)
}

/** Imports that point upwards, or that go around the one way to write. */
const REFUSED: [file: string, code: string][] = [
  ['app/dns/names.ts', "import '#backends/manager'"],
  ['app/dns/names.ts', "import '../backends/manager.js'"],
  ['app/dns/names.ts', "import '@adonisjs/core'"],
  ['app/dns/names.ts', "import 'node:fs'"],
  ['app/backends/manager.ts', "import '#access/authorize'"],
  ['app/access/authorize.ts', "import '#changes/apply'"],
  ['app/changes/apply.ts', "import '#zones/directory'"],
  ['app/changes/apply.ts', "import '#controllers/api/paging'"],
  ['app/zones/directory.ts', "import '#transformers/zone'"],
  ['app/zones/directory.ts', "import '#backends/write_session'"],
  ['app/controllers/api/zones_controller.ts', "import '#backends/write_session'"],
  ['app/models/user.ts', "import '#access/actor'"],
  ['app/exceptions/refusal.ts', "import '#dns/errors'"],
]

const ALLOWED: [file: string, code: string][] = [
  ['app/dns/names.ts', "import '#dns/errors'"],
  ['app/backends/manager.ts', "import '#dns/types'"],
  ['app/changes/apply.ts', "import '#backends/write_session'"],
  ['app/zones/directory.ts', "import '#changes/apply'"],
  ['app/controllers/api/zones_controller.ts', "import '#zones/directory'"],
  ['app/exceptions/handler.ts', "import '#dns/errors'"],
]

test.group('Walls between the rooms', (group) => {
  group.each.timeout(30_000)

  for (const [file, code] of REFUSED) {
    test(`a wall stands: ${file} may not ${code}`, async ({ assert }) => {
      assert.lengthOf(await wallMessages(file, code), 1)
    })
  }

  for (const [file, code] of ALLOWED) {
    test(`a door is open: ${file} may ${code}`, async ({ assert }) => {
      assert.deepEqual(await wallMessages(file, code), [])
    })
  }
})
