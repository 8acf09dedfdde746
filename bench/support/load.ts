import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** A request and its expected status. */
export interface Request {
  path: string
  headers: Record<string, string>
  status: number
}

/** Milliseconds of single requests, and requests per second. */
export interface Load {
  times: number[]
  perSecond: number
}

const HEAD_END = '\r\n\r\n'

function bytesOf(host: string, { path, headers }: Request): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`GET ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END
}

/** Length in bytes of one response from the start of the text; 0 if it is incomplete. */
function lengthOf(text: string): number {
  const end = text.indexOf(HEAD_END)
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? []
  const whole = end + HEAD_END.length + Number(length)
  return end >= 0 && text.length >= whole ? whole : 0
}

/**
 * Sends requests for some time over several keep-alive connections, one request after the other on each. It parses as little
 * HTTP as possible, to leave CPU time to the server. Throws for an unexpected status.
 */
export async function load(
  url: string,
  requests: Request[],
  { connections, ms }: { connections: number; ms: number }
): Promise<Load> {
  const { hostname, port, host } = new URL(url)
  const prepared = requests.map((request) => ({ bytes: bytesOf(host, request), ...request }))
  const times: number[] = []
  const since = performance.now()
  const work = async (number: number) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    for (let i = number; performance.now() - since < ms; i++) {
      const { bytes, path, status } = prepared[i % prepared.length]
      const begun = performance.now()
      const answer = await answerTo(socket, bytes)
      times.push(performance.now() - begun)
      if (!answer.startsWith(`HTTP/1.1 ${status} `)) {
        throw new Error(`${path} answered ${answer.slice(0, 200)}, not ${status}`)
      }
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => work(number)))
  return { times, perSecond: (times.length * 1000) / (performance.now() - since) }
}

function answerTo(socket: Socket, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onClose = () => reject(new Error('The server closed the connection'))
    const read = (part: Buffer) => {
      text += part.toString('latin1')
      if (lengthOf(text) > 0) {
        socket.off('data', read)
        socket.off('close', onClose)
        resolve(text)
      }
    }
    socket.on('data', read)
    socket.on('close', onClose)
    socket.write(bytes)
  })
}
