import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Router } from '@adonisjs/core/http'
import type { Edge } from 'edge.js'

/** What most visitors see first: addresses of pages, and their templates. */
export const FIRST_PATHS = ['/', '/zones', '/zones/:id']
export const FIRST_TEMPLATES = ['pages/home', 'pages/zones/index', 'pages/zones/show']

/**
 * Makes what the first visitors would wait for: loads the code behind the first pages, and compiles their templates and all
 * components. In short steps, between which others are served.
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
  // Plugins are told of the tags of components by the first renderer.
  edge.createRenderer()
  const components = edge.loader.listComponents().flatMap((disk) => disk.components)
  const names = components.map(({ componentName }) => componentName)
  for (const template of [...names, ...FIRST_TEMPLATES]) {
    edge.asyncCompiler.compile(template)
    await nextTurn()
  }
}
