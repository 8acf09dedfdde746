import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { DatabaseFile } from '#database/schema/sqlite_file'
import { databaseFailure } from '#exceptions/database_errors'

/** Changes of the file by others, and whether they replace the file. */
const TABLE: [what: string, work: (file: string) => void, isReplaced: boolean][] = [
  ['nothing', () => {}, false],
  ['written to', (file) => writeFileSync(file, 'more'), false],
  ['copied over', (file) => copyFileSync(`${file}.backup`, file), false],
  ['moved over', (file) => renameSync(`${file}.backup`, file), true],
  ['removed', (file) => rmSync(file), true],
  ['moved away', (file) => renameSync(file, `${file}.old`), true],
  [
    'moved away, and one made anew',
    (file) => {
      renameSync(file, `${file}.old`)
      writeFileSync(file, 'new')
    },
    true,
  ],
  [
    'moved away and back',
    (file) => {
      renameSync(file, `${file}.old`)
      renameSync(`${file}.old`, file)
    },
    false,
  ],
]

test.group('The file of an open SQLite database', (group) => {
  let file: string
  group.each.setup(() => {
    const folder = mkdtempSync(join(tmpdir(), 'zw-file-'))
    file = join(folder, 'db.sqlite3')
    writeFileSync(file, 'database')
    writeFileSync(`${file}.backup`, 'backup')
    return () => rmSync(folder, { recursive: true })
  })

  for (const [what, work, isReplaced] of TABLE) {
    test(`${what}: ${isReplaced ? 'another file' : 'the same file'}`, ({ assert }) => {
      const watched = new DatabaseFile(file)
      watched.demandSame(0)
      watched.opened()
      watched.demandSame(1_000)
      work(file)
      // The file was checked less than a second ago.
      watched.demandSame(1_100)
      if (!isReplaced) {
        watched.demandSame(2_000)
        return
      }
      try {
        watched.demandSame(2_000)
        assert.fail('It is not noticed')
      } catch (error) {
        assert.include((error as Error).message, file)
        assert.equal(databaseFailure(error), 'replaced')
      }
      watched.opened()
      watched.demandSame(3_000)
    })
  }
})
