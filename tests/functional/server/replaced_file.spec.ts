// @process
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import env from '#support/env'
import { statusOf } from '#tests/support/app/api'
import { administrator } from '#tests/support/app/people/people'
import { OtherServer, testFolder } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'

// A database server has no such file.
if (env.get('DB_CONNECTION', 'sqlite') === 'sqlite') {
  test.group('A database file that is replaced under a running service', () => {
    test('requests get 503 with the name of the setting, and nothing is written', async ({
      assert,
      cleanup,
    }) => {
      const { key } = await administrator()
      const file = join(testFolder('replaced'), 'own.sqlite3')
      await db.rawQuery('vacuum into ?', [file])
      copyFileSync(file, `${file}.backup`)
      const server = await OtherServer.start({ DB_CONNECTION: 'sqlite', DB_FILE: file })
      cleanup(() => server.stop())
      const headers = { 'x-api-key': key }
      assert.equal(await statusOf(server.get('/api/v2/zones', headers)), 200)

      renameSync(`${file}.backup`, file)
      await eventually(async () => {
        const answer = await server.get('/api/v2/zones', headers)
        assert.equal(answer.status, 503)
        assert.match(
          answer.json().message,
          /DB_FILE.* was replaced or removed.* restart the service/
        )
        assert.notInclude(answer.text, file)
        assert.equal(answer.headers.get('retry-after'), '60')
      })
      assert.equal(await statusOf(server.get('/api/health')), 503)
      assert.equal(await statusOf(server.get('/ping')), 200)
      assert.include(server.log(), file)
    }).timeout(60_000)
  })
}
