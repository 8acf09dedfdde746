import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { secretFiles } from '#health/doctor/secret_files'

test.group('Doctor: files with secrets', (group) => {
  let folder: string

  group.each.setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonewright-secrets-'))
    return () => rmSync(folder, { recursive: true })
  })

  test('mode {0} is {1}')
    .with([
      [0o600, 'ok'],
      [0o640, 'ok'],
      [0o660, 'ok'],
      [0o644, 'remark'],
      [0o606, 'remark'],
      [0o602, 'remark'],
    ] as const)
    .run(async ({ assert }, [mode, state]) => {
      const file = join(folder, '.env')
      writeFileSync(file, 'APP_KEY=x')
      chmodSync(file, mode)
      const finding = await secretFiles([file])
      assert.equal(finding.state, state)
      assert.equal(finding.remedy, state === 'ok' ? null : `Run: chmod o-rwx ${file}`)
    })

  test('a missing file is no finding', async ({ assert }) => {
    const { state } = await secretFiles([join(folder, 'settings.json')])
    assert.equal(state, 'ok')
  })
})
