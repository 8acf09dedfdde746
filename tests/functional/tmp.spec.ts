import { test } from '@japa/runner'
test('x', async ({ client }) => { const r = await client.get('/ping'); r.assertStatus(200); console.log(r.headers(), process.env.PORT, process.env.HOST) })
