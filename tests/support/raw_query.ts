import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'

const LIMIT = 5_000

/** Queries the name server on `port` of 127.0.0.1 over UDP and returns the undecoded response. */
export async function rawQuery(port: number, name: string, type: number): Promise<Buffer> {
  const socket = createSocket('udp4')
  try {
    socket.send(questionFor(name, type), port, '127.0.0.1')
    const signal = AbortSignal.timeout(LIMIT)
    const [answer] = (await once(socket, 'message', { signal })) as [Buffer]
    return answer
  } finally {
    socket.close()
  }
}

/** Like `rawQuery`, over TCP, for responses of any length. */
export async function rawTcpQuery(port: number, name: string, type: number): Promise<Buffer> {
  const question = questionFor(name, type)
  const socket = connect({ port, host: '127.0.0.1', signal: AbortSignal.timeout(LIMIT) })
  try {
    socket.write(Buffer.concat([Buffer.from([question.length >> 8, question.length]), question]))
    let answer = Buffer.alloc(0)
    for await (const chunk of socket) {
      answer = Buffer.concat([answer, chunk])
      if (answer.length > 2 && answer.length >= 2 + answer.readUInt16BE()) break
    }
    return answer.subarray(2)
  } finally {
    socket.destroy()
  }
}

/** Returns the record data of a response to one question that has only an answer section. */
export function answeredData(answer: Buffer): Buffer[] {
  const count = answer.readUInt16BE(6)
  let at = endOfName(answer, 12) + 4
  return Array.from({ length: count }, () => {
    const start = endOfName(answer, at) + 10
    at = start + answer.readUInt16BE(start - 2)
    return answer.subarray(start, at)
  })
}

function endOfName(message: Buffer, start: number): number {
  let at = start
  while (message[at] > 0 && message[at] < 0xc0) at += message[at] + 1
  return message[at] === 0 ? at + 1 : at + 2
}

function questionFor(name: string, type: number): Buffer {
  const header = Buffer.from('4d2a00000001000000000000', 'hex')
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'))
  const owner = labels.flatMap((label) => [Buffer.from([label.length]), label])
  const question = Buffer.from([0, type >> 8, type & 255, 0, 1])
  return Buffer.concat([header, ...owner, question])
}
