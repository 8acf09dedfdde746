import type { Edge } from 'edge.js'

/** The part of Edge's compiler that the cache uses. */
type Compiler = Pick<Edge['compiler'], 'compile'>

/**
 * Caches compiled partials (`@include`). Edge compiles them for each use, since they see the variables of the template around
 * them: path and names of variables determine the result.
 */
export function cachePartials(compiler: Compiler): void {
  const compile = compiler.compile.bind(compiler)
  const compiled = new Map<string, ReturnType<typeof compile>>()
  compiler.compile = (path, variables) => {
    if (!variables) return compile(path)
    const key = [path, ...variables].join('\n')
    let partial = compiled.get(key)
    if (!partial) compiled.set(key, (partial = compile(path, variables)))
    return partial
  }
}
