import { connect, type Socket } from 'node:net'

/** The response to one request. */
export interface Answer {
  status: number
  /** Size of head and body in bytes. */
  bytes: number
  /** Milliseconds from the write of the request to the first and to the last byte. */
  first: number
  last: number
  /** The body if requested, and of error responses; otherwise empty. */
  body: string
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LINE = Buffer.from('\r\n')

/** The expected next part: head, body by length, or parts of a chunked body. */
type Phase = 'head' | 'body' | 'size' | 'chunk' | 'trailer'

/**
 * One keep-alive HTTP/1.1 connection with one request at a time. It parses only what is needed to find the end of a response,
 * so that the load program uses little CPU time.
 */
export class Connection {
  #socket: Socket | null = null
  #rest: Buffer = Buffer.alloc(0)
  #phase: Phase = 'head'
  #left = 0
  #parts: Buffer[] = []
  #keep = false
  #since = 0
  #answer: Answer = blank()
  #done: ((answer: Answer) => void) | null = null
  #failed: ((error: Error) => void) | null = null

  constructor(private readonly port: number) {}

  /** Sends a request and waits for its response. Throws if the connection closes before the end. */
  ask(request: string, keep = false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#done = resolve
      this.#failed = reject
      this.#keep = keep
      this.#answer = blank()
      this.#parts = []
      this.#phase = 'head'
      const socket = this.#open()
      this.#since = performance.now()
      socket.write(request)
    })
  }

  close(): void {
    this.#done = this.#failed = null
    this.#socket?.destroy()
    this.#socket = null
  }

  #open(): Socket {
    if (this.#socket) return this.#socket
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true })
    const lost = (error: Error) => {
      if (this.#socket !== socket) return
      this.#socket = null
      this.#rest = Buffer.alloc(0)
      this.#failed?.(error)
      this.#done = this.#failed = null
    }
    socket.on('data', (data) => this.#read(data as Buffer))
    socket.on('error', lost)
    socket.on('close', () => lost(new Error('The server closed the connection')))
    this.#socket = socket
    return socket
  }

  #read(data: Buffer): void {
    if (this.#answer.bytes === 0) this.#answer.first = performance.now() - this.#since
    this.#answer.bytes += data.length
    let rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, data]) : data
    for (;;) {
      const used = this.#step(rest)
      if (used < 0) break
      rest = rest.subarray(used)
      if (this.#done === null) break
    }
    this.#rest = rest
  }

  /** Parses the next part. Returns the number of consumed bytes, or -1 if more are needed. */
  #step(rest: Buffer): number {
    switch (this.#phase) {
      case 'head': {
        const end = rest.indexOf(END_OF_HEAD)
        if (end < 0) return -1
        this.#readHead(rest.toString('latin1', 0, end))
        return end + END_OF_HEAD.length
      }
      case 'size': {
        const end = rest.indexOf(LINE)
        if (end < 0) return -1
        this.#left = Number.parseInt(rest.toString('latin1', 0, end), 16)
        this.#phase = this.#left === 0 ? 'trailer' : 'chunk'
        return end + LINE.length
      }
      case 'trailer': {
        if (rest.length < LINE.length) return -1
        this.#finish()
        return LINE.length
      }
      default:
        return this.#readBody(rest)
    }
  }

  #readBody(rest: Buffer): number {
    const isChunk = this.#phase === 'chunk'
    if (this.#left > 0) {
      if (rest.length === 0) return -1
      const used = Math.min(rest.length, this.#left)
      if (this.#keep) this.#parts.push(Buffer.from(rest.subarray(0, used)))
      this.#left -= used
      if (this.#left === 0 && !isChunk) this.#finish()
      return used
    }
    // The line end after a chunk.
    if (rest.length < LINE.length) return -1
    this.#phase = 'size'
    return LINE.length
  }

  #readHead(head: string): void {
    this.#answer.status = Number(head.slice(9, 12))
    this.#keep ||= this.#answer.status >= 400
    const length = /\ncontent-length: *(\d+)/i.exec(head)
    if (/\ntransfer-encoding: *chunked/i.test(head)) {
      this.#phase = 'size'
      return
    }
    this.#phase = 'body'
    this.#left = Number(length?.[1] ?? 0)
    if (this.#left === 0) this.#finish()
  }

  #finish(): void {
    const answer = this.#answer
    answer.last = performance.now() - this.#since
    if (this.#keep) answer.body = Buffer.concat(this.#parts).toString('utf8')
    const done = this.#done
    this.#done = this.#failed = null
    done?.(answer)
  }
}

function blank(): Answer {
  return { status: 0, bytes: 0, first: 0, last: 0, body: '' }
}
