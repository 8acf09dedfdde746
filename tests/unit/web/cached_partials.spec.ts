import { test } from '@japa/runner'
import { Edge } from 'edge.js'
import { cachePartials } from '#web/framework/cached_partials'

/** Templates in memory that count their compilations. */
function templates(files: Record<string, string>) {
  const edge = Edge.create()
  for (const [name, template] of Object.entries(files)) edge.registerTemplate(name, { template })
  const compiled: string[] = []
  edge.processor.process('raw', ({ path }) => void compiled.push(path))
  cachePartials(edge.asyncCompiler)
  const timesOf = (name: string) => compiled.filter((path) => path.endsWith(name)).length
  return { edge, timesOf }
}

test.group('Cached partials', () => {
  test('a partial is compiled once for the same surrounding variables', async ({ assert }) => {
    const { edge, timesOf } = templates({
      page: `@each(item in items)\n@include('row')\n@end`,
      row: '{{ item }}{{ last }};',
    })
    const rows = async (items: string[]) => {
      const html = await edge.render('page', { items, last: '!' })
      return html.replaceAll('\n', '')
    }
    assert.equal(await rows(['a', 'b', 'c']), 'a!;b!;c!;')
    assert.equal(await rows(['d']), 'd!;')
    assert.equal(timesOf('row'), 1)
  })

  test('other surrounding variables cause another compilation', async ({ assert }) => {
    const { edge, timesOf } = templates({
      page: `@each(item in items)\n@include('row')\n@end\n@include('row')`,
      row: `{{ item ?? 'none' }};`,
    })
    for (const item of ['a', 'b']) {
      const html = await edge.render('page', { items: [item], item: 'of the page' })
      assert.equal(html.replaceAll('\n', ''), `${item};of the page;`)
    }
    assert.equal(timesOf('row'), 2)
  })
})
