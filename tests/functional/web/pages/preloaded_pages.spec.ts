import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import edge from 'edge.js'
import { FIRST_PATHS, FIRST_TEMPLATES, warmPages } from '#web/framework/preload_pages'

/** Returns the names of the templates that are compiled while `work` runs. */
async function compiledBy(work: () => Promise<void>): Promise<string[]> {
  const { compile } = edge.asyncCompiler
  const names: string[] = []
  edge.asyncCompiler.compile = (path, variables) => {
    names.push(path)
    return compile.call(edge.asyncCompiler, path, variables)
  }
  try {
    await work()
  } finally {
    edge.asyncCompiler.compile = compile
  }
  return names
}

test.group('Preloaded pages', () => {
  test('templates and code are loaded before the first visitor', async ({ assert }) => {
    const loaded: string[] = []
    const routes = Object.values(router.toJSON()).flat()
    for (const path of FIRST_PATHS) {
      const route = routes.find(({ pattern, methods }) => pattern === path && methods[0] === 'GET')
      assert.exists(route, path)
    }
    const watched = routes.map((route) => {
      const { handler } = route
      if (typeof handler === 'function' || !Array.isArray(handler.reference)) return route
      const load = async () => void loaded.push(`${route.methods[0]} ${route.pattern}`)
      return { ...route, handler: { ...handler, reference: [load, handler.reference[1]] } }
    })
    const names = await compiledBy(() =>
      warmPages({ toJSON: () => ({ root: watched }) as never }, edge)
    )
    assert.sameMembers(
      loaded,
      FIRST_PATHS.map((path) => `GET ${path}`)
    )
    assert.includeMembers(names, [...FIRST_TEMPLATES, 'components/layout/page'])
  })
})
