/** Logged parts of an error. */
interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
}

/** Messages may contain input of a client; longer ones are truncated. */
const MAX_MESSAGE = 2_000
const MAX_STACK = 8_000
/** Maximum of the chain of causes. */
const MAX_CAUSES = 5

/**
 * Serialises an error for the log: type, message, code and stack of the error and its causes, and nothing else. Members
 * that libraries add can hold request bodies, statements and secrets.
 */
export function loggedError(error: unknown): LoggedError | unknown {
  if (!(error instanceof Error)) return error
  const [first, ...causes] = chainOf(error)
  const stacks = [first.stack, ...causes.map((cause) => `caused by: ${cause.stack}`)]
  return {
    type: first.constructor.name,
    message: first.message.slice(0, MAX_MESSAGE),
    ...('code' in first && typeof first.code === 'string' ? { code: first.code } : {}),
    stack: stacks.join('\n').slice(0, MAX_STACK),
  }
}

function chainOf(error: Error): Error[] {
  const chain = [error]
  for (
    let next = error.cause;
    next instanceof Error && chain.length <= MAX_CAUSES;
    next = next.cause
  ) {
    if (chain.includes(next)) break
    chain.push(next)
  }
  return chain
}
