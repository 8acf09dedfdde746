import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One TCP connection to the server under test that sends bytes unchanged. */
export class RawConnection {
  #received = ''

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.#received += text))
    // The waiting test handles a reset.
    socket.on('error', () => {})
  }

  static async open(): Promise<RawConnection> {
    const socket = connect(Number(process.env.PORT), process.env.HOST)
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Resolves after the bytes are written to the socket. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.socket.write(bytes, () => resolve())
    })
  }

  /** Returns the status of the next response; null after `within` ms or if the connection ends before. */
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
