import type { Edge } from 'edge.js'

/** What keeping them needs of a compiler of templates. */
type Compiler = Pick<Edge['compiler'], 'compile'>

/**
 * Lets a compiler keep what it made of partials (`@include`): by itself it compiles them again at each place of each page, since
 * they see the variables of the template around them. What comes of it follows from their path and the names of those variables.
 */
export function cachePartials(compiler: Compiler): void {
  const compile = compiler.compile.bind(compiler)
  const known = new Map<string, ReturnType<typeof compile>>()
  compiler.compile = (path, variables) => {
    if (!variables) return compile(path)
    const key = [path, ...variables].join('\n')
    let partial = known.get(key)
    if (!partial) known.set(key, (partial = compile(path, variables)))
    return partial
  }
}
