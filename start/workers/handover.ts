import type { Worker } from 'node:cluster'

/** Message of the cluster module: with a connection, or with `ack` as its answer. */
type ClusterMessage = { cmd: string; act?: string; seq?: number; ack?: number }

/** A connection in the primary process. */
type Connection = { close(): void }

const CLUSTER_MESSAGE = 'NODE_CLUSTER'

/**
 * Transfers connections that a worker did not accept before it died to another worker, or closes them. Without this, Node
 * never answers these clients. A worker acknowledges a connection before it reads, so no request runs twice. Node documents
 * none of this: its version is pinned, and tests/faults/workers.spec.ts detects changes.
 */
export function transferConnections(worker: Worker, hasOthers: () => boolean): void {
  const { process } = worker
  const unconfirmed = new Map<number, Connection>()
  const send = process.send!.bind(process) as (...args: unknown[]) => boolean
  process.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.cmd === CLUSTER_MESSAGE && message.act === 'newconn' && message.seq !== undefined) {
      unconfirmed.set(message.seq, rest[0] as Connection)
    }
    return send(message, ...rest)
  }
  process.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) {
      unconfirmed.delete(ack)
    }
  })
  let isDisconnected = false
  process.once('disconnect', () => (isDisconnected = true))
  // The process has ended, and all its messages were read.
  process.once('close', () => {
    if (!isDisconnected) {
      // Node does not emit it while an acknowledgement is missing.
      process.emit('disconnect')
    }
    for (const [ack, connection] of unconfirmed) {
      if (hasOthers()) {
        process.emit(
          'internalMessage' as 'message',
          { cmd: CLUSTER_MESSAGE, ack, accepted: false },
          null!
        )
      } else {
        connection.close()
      }
    }
  })
}
