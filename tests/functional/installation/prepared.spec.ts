// @api-backend
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { PreparedStatement } from '#database/statements/prepared'
import { inTransaction } from '#database/transaction'
import env from '#support/env'

const TABLE = 'zw_prepared_probe'

interface Row {
  id: number
  name: string
}

test.group('Prepared statements', (group) => {
  const byName = () =>
    new PreparedStatement<Row>(
      `select id, name from ${TABLE} where name = ? and id > ? order by id`
    )

  group.each.setup(async () => {
    await db.connection().schema.createTable(TABLE, (table) => {
      table.integer('id').primary()
      table.string('name', 50).notNullable()
    })
    await db.table(TABLE).multiInsert([
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
      { id: 3, name: 'two' },
    ])
    return () => db.connection().schema.dropTable(TABLE)
  })

  test('prepared statements return plain rows for repeated values', async ({ assert }) => {
    const statement = byName()
    for (let i = 0; i < 20; i++) {
      const rows = await statement.rows(db.connection(), ['two', 2])
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ id: 3, name: 'two' }]
      )
      assert.deepEqual(await statement.rows(db.connection(), ['three', 0]), [])
    }
  })

  test('prepared statements serve several callers at once', async ({ assert }) => {
    const statement = byName()
    const names = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 'one' : 'two'))
    const answers = await Promise.all(
      names.map((name) => statement.rows(db.connection(), [name, 0]))
    )
    assert.deepEqual(
      answers.map((rows) => rows.length),
      names.map((name) => (name === 'one' ? 1 : 2))
    )
  })

  test('prepared statements see the writes of their own transaction only', async ({ assert }) => {
    const statement = byName()
    await inTransaction(db.connection(), async (trx) => {
      await trx.table(TABLE).insert({ id: 4, name: 'four' })
      assert.lengthOf(await statement.rows(trx, ['four', 0]), 1)
      await trx.from(TABLE).where('id', 4).delete()
    })
    assert.lengthOf(await statement.rows(db.connection(), ['four', 0]), 0)
  })

  test('prepared statements work after a change of the table', async ({ assert }) => {
    const statement = new PreparedStatement<Row>(`select name from ${TABLE} where id = ?`)
    const ask = async () => {
      const [row] = await statement.rows(db.connection(), [1])
      return row?.name
    }
    for (let i = 0; i < 10; i++) {
      assert.equal(await ask(), 'one')
    }
    await db.connection().schema.alterTable(TABLE, (table) => {
      table.text('name').notNullable().alter()
    })
    for (let i = 0; i < 10; i++) {
      assert.equal(await ask(), 'one')
    }
  })

  test("a failed statement throws the database's error and releases the connection", async ({
    assert,
  }) => {
    const statement = new PreparedStatement<Row>('select id from zw_not_there where id = ?')
    for (let i = 0; i < 15; i++) {
      await assert.rejects(() => statement.rows(db.connection(), [1]), /zw_not_there/)
    }
    assert.lengthOf(await byName().rows(db.connection(), ['one', 0]), 1)
  })

  test('repeated statements of transactions are prepared, also after a change of the table', async ({
    assert,
  }) => {
    const rowsOf = (trx: TransactionClientContract) => trx.from(TABLE).where('id', 2).select('*')
    const often = async () => {
      let rows: Row[] = []
      for (let i = 0; i < 12; i++) {
        await inTransaction(db.connection(), async (trx) => {
          rows = await rowsOf(trx)
          await trx
            .from(TABLE)
            .where('id', 1)
            .update({ name: `one ${i}` })
        })
      }
      return rows.map((row) => ({ ...row }))
    }
    assert.deepEqual(await often(), [{ id: 2, name: 'two' }])
    if (env.get('DB_CONNECTION') === 'pg') {
      await inTransaction(db.connection(), async (trx) => {
        await rowsOf(trx)
        const { rows } = await trx.rawQuery('select statement from pg_prepared_statements')
        const texts = rows.map(({ statement }: { statement: string }) => statement)
        assert.isTrue(texts.some((text: string) => text.includes(`select * from "${TABLE}"`)))
      })
    }
    await db.connection().schema.alterTable(TABLE, (table) => {
      table.integer('more').defaultTo(7)
    })
    assert.deepEqual(await often(), [{ id: 2, name: 'two', more: 7 }] as object[])
  })
})
