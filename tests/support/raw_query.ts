import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Asks the name server on `port` of 127.0.0.1 over UDP and returns the whole answer, undecoded. */
export async function rawQuery(port: number, name: string, type: number): Promise<Buffer> {
  const header = Buffer.from('4d2a00000001000000000000', 'hex')
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'))
  const owner = labels.flatMap((label) => [Buffer.from([label.length]), label])
  const question = Buffer.from([0, type >> 8, type & 255, 0, 1])
  const socket = createSocket('udp4')
  try {
    socket.send(Buffer.concat([header, ...owner, question]), port, '127.0.0.1')
    const signal = AbortSignal.timeout(5_000)
    const [answer] = (await once(socket, 'message', { signal })) as [Buffer]
    return answer
  } finally {
    socket.close()
  }
}
