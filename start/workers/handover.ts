import type { Worker } from 'node:cluster'

/** What the cluster module sends along with a connection, and, with `ack`, what comes back. */
type ClusterMessage = { cmd: string; act?: string; seq?: number; ack?: number }

/** A connection as the primary holds it. */
type Connection = { close(): void }

const CLUSTER = 'NODE_CLUSTER'

/**
 * Gives connections that were on their way to a worker when it died to another one, or closes them when there is
 * no other. Node forgets them, and goes on dealing connections to the dead worker: their clients would wait for
 * ever.
 *
 * The worker says that it has a connection before it reads from it, so that no request is carried out twice. Node
 * documents none of this: it is pinned, and tests/faults/workers.spec.ts tells when it does otherwise.
 */
export function transferConnections(worker: Worker, hasOthers: () => boolean): void {
  const { process } = worker
  const onTheWay = new Map<number, Connection>()
  const send = process.send!.bind(process) as (...args: unknown[]) => boolean
  process.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.cmd === CLUSTER && message.act === 'newconn' && message.seq !== undefined) {
      onTheWay.set(message.seq, rest[0] as Connection)
    }
    return send(message, ...rest)
  }
  process.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) {
      onTheWay.delete(ack)
    }
  })
  let isDisconnected = false
  process.once('disconnect', () => (isDisconnected = true))
  // It has ended, and all that it said has been read.
  process.once('close', () => {
    if (!isDisconnected) {
      // While it owes an answer, Node does not say so by itself.
      process.emit('disconnect')
    }
    for (const [ack, connection] of onTheWay) {
      if (hasOthers()) {
        process.emit('internalMessage' as 'message', { cmd: CLUSTER, ack, accepted: false }, null!)
      } else {
        connection.close()
      }
    }
  })
}
