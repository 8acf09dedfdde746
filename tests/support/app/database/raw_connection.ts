import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One connection to the server under test, on which bytes are written as they are. */
export class RawConnection {
  #received = ''

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.#received += text))
    // What a reset means is for the waiting test to say.
    socket.on('error', () => {})
  }

  static async open(): Promise<RawConnection> {
    const socket = connect(Number(process.env.PORT), process.env.HOST)
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Resolves when the bytes are on their way. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.socket.write(bytes, () => resolve())
    })
  }

  /** The status of the next answer; null when none comes in time or the connection ends before. */
  async status(within = 3_000): Promise<number | null> {
    const start = /HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s
    const timer = AbortSignal.timeout(within)
    while (!start.test(this.#received) && !timer.aborted && !this.socket.destroyed) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const answer = start.exec(this.#received)
    this.#received = ''
    return answer && Number(answer[1])
  }

  close(): void {
    this.socket.destroy()
  }
}
