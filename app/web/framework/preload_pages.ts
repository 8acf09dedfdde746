import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Router } from '@adonisjs/core/http'
import type { Edge } from 'edge.js'

/** Pages that most visitors open first: their URLs and templates. */
export const FIRST_PATHS = ['/', '/zones', '/zones/:id']
export const FIRST_TEMPLATES = ['pages/home', 'pages/zones/index', 'pages/zones/show']

/**
 * Loads the code of the first pages, and compiles their templates and all components, so that the first requests do not wait.
 * Yields to requests between steps.
 */
export async function warmPages(
  router: Pick<Router, 'toJSON'>,
  edge: Pick<Edge, 'createRenderer' | 'loader' | 'asyncCompiler'>
): Promise<void> {
  for (const { pattern, methods, handler } of Object.values(router.toJSON()).flat()) {
    const isFirst = FIRST_PATHS.includes(pattern) && methods.includes('GET')
    if (!isFirst || typeof handler === 'function' || handler.importExpression === null) continue
    const [load] = [handler.reference].flat() as [() => Promise<unknown>]
    await load()
    await nextTurn()
  }
  // The first renderer registers the tags of components with plugins.
  edge.createRenderer()
  const components = edge.loader.listComponents().flatMap((disk) => disk.components)
  const names = components.map(({ componentName }) => componentName)
  for (const template of [...names, ...FIRST_TEMPLATES]) {
    edge.asyncCompiler.compile(template)
    await nextTurn()
  }
}
