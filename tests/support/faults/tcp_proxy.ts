import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Decides on each piece that the server sends to the database; true cuts all connections before it. */
export type Cut = (piece: Buffer) => boolean

/** A TCP proxy on 127.0.0.1 that can lose the connections that go through it. */
export class TcpProxy {
  readonly #pairs = new Set<[Socket, Socket]>()
  #isSilent = false
  #cutUp: Cut = () => false
  #cutDown: Cut = () => false

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
    readonly port: number
  ) {
    server.on('connection', (socket) => this.#accept(socket))
  }

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new TcpProxy(server, target, (server.address() as AddressInfo).port)
  }

  #accept(near: Socket): void {
    const far = connect(this.target)
    const pair: [Socket, Socket] = [near, far]
    this.#pairs.add(pair)
    const end = () => {
      this.#pairs.delete(pair)
      pair.forEach((socket) => socket.destroy())
    }
    for (const socket of pair) {
      socket.on('error', end)
      socket.on('close', end)
    }
    near.on('data', (piece) => this.#pass(piece, far, () => this.#cutUp(piece)))
    far.on('data', (piece) => this.#pass(piece, near, () => this.#cutDown(piece)))
  }

  #pass(piece: Buffer, to: Socket, isCut: () => boolean): void {
    if (this.#isSilent) {
      return
    }
    if (isCut()) {
      this.cut()
      return
    }
    to.write(piece)
  }

  /** Ends all connections at once. */
  cut(): void {
    this.#cutUp = this.#cutDown = () => false
    for (const pair of this.#pairs) {
      this.#pairs.delete(pair)
      pair[0].resetAndDestroy()
      pair[1].resetAndDestroy()
    }
  }

  /** Ends all connections and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve))
    this.cut()
    await closed
  }

  /** Accepts, and loses whatever is sent, both ways. What was lost does not come again. */
  silence(): void {
    this.#isSilent = true
  }

  /** Is a good proxy again. Connections from before a silence stay silent: they are ended. */
  async restore(): Promise<void> {
    if (this.#isSilent) {
      this.#isSilent = false
      this.cut()
    }
    if (!this.server.listening) {
      await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve))
    }
  }

  /** Ends all connections, once, when `cut` says so of what goes to the database or comes from it. */
  cutWhen(cut: Cut, way: 'up' | 'down' = 'up'): void {
    if (way === 'up') {
      this.#cutUp = cut
    } else {
      this.#cutDown = cut
    }
  }

  /** Counts what goes one way from now on; returns the function that tells the number of bytes. */
  count(way: 'up' | 'down'): () => number {
    let bytes = 0
    this.cutWhen((piece) => {
      bytes += piece.length
      return false
    }, way)
    return () => bytes
  }

  async close(): Promise<void> {
    this.cut()
    if (this.server.listening) {
      await new Promise((resolve) => this.server.close(resolve))
    }
  }
}

/** A cut at the byte of that number. */
export function afterBytes(limit: number): Cut {
  let bytes = 0
  return (piece) => {
    bytes += piece.length
    return bytes > limit
  }
}
