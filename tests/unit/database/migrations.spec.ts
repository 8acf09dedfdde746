import { readdirSync, readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import ts from 'typescript'

const DATABASE = new URL('../../../database/', import.meta.url)
const MIGRATIONS = readdirSync(new URL('migrations/', DATABASE)).map((file) => `migrations/${file}`)

/** Helpers that build tables. Migrations may import them, because their result never changes. */
const BUILDERS = ['schema/zonewright_schema', 'schema/postgres_indexes']

const ALLOWED = new RegExp(`^(@adonisjs/lucid/.*|#database/(${BUILDERS.join('|')}))$`)

/** Returns the modules that a file imports, in any form. */
function importsOf(file: string): string[] {
  const text = readFileSync(new URL(file, DATABASE), 'utf8')
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
}

test.group('Migrations', () => {
  for (const file of [...MIGRATIONS, ...BUILDERS.map((name) => `${name}.ts`)]) {
    test(`${file} imports no code of the application`, ({ assert }) => {
      assert.deepEqual(
        importsOf(file).filter((name) => !ALLOWED.test(name)),
        []
      )
    })
  }

  test('migrations have consecutive numbers', ({ assert }) => {
    const numbers = MIGRATIONS.map((file) => Number(/\/(\d{4})_\w+\.ts$/.exec(file)?.[1]))
    assert.deepEqual(
      numbers.sort((one, other) => one - other),
      MIGRATIONS.map((_, index) => index + 1)
    )
  })
})
