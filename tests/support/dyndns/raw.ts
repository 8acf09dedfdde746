import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends bytes to the server under test. Returns all received bytes until the server closes, or until Content-Length is
 * reached.
 */
export async function exchange(bytes: string, port = Number(process.env.PORT)): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.setEncoding('latin1').setTimeout(5_000, () => socket.destroy())
  socket.write(bytes, 'latin1')
  let answer = ''
  for await (const part of socket) {
    answer += String(part)
    const [head, body = ''] = answer.split('\r\n\r\n', 2)
    const [, length] = /content-length: (\d+)/i.exec(head) ?? []
    if (length !== undefined && body.length >= Number(length)) break
  }
  socket.destroy()
  return answer
}

/** Parts of a response. */
export interface RawAnswer {
  status: number
  body: string
}

/** Sends a request of these lines, followed by an empty line. */
export async function request(lines: string[], port?: number): Promise<RawAnswer> {
  const answer = await exchange(`${lines.join('\r\n')}\r\n\r\n`, port)
  const [head, body = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(head.split(' ')[1]), body }
}
