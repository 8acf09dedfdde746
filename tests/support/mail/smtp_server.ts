import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/** A received mail. */
export interface Mail {
  from: string
  to: string[]
  /** Headers and body without changes. */
  text: string
}

/** An SMTP server (RFC 5321) without TLS that accepts and stores all mails. */
export class SmtpServer {
  readonly mails: Mail[] = []
  /** Received commands. */
  readonly commands: string[] = []
  /** Returns the refusal of a command; undefined accepts it. */
  refuse: (command: string) => string | undefined = () => undefined

  private constructor(private readonly server: Server) {}

  /** @param port a free port by default */
  static async start(port = 0): Promise<SmtpServer> {
    const server = createServer()
    const smtp = new SmtpServer(server)
    server.on('connection', (socket) => smtp.#talk(socket))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return smtp
  }

  get port(): number {
    return (this.server.address() as { port: number }).port
  }

  /** Returns the mails to an address. */
  to(address: string): Mail[] {
    return this.mails.filter(({ to }) => to.includes(address))
  }

  stop(): void {
    this.server.close()
  }

  #talk(socket: Socket): void {
    let buffer = ''
    let mail: Mail = { from: '', to: [], text: '' }
    let isData = false
    const sendLine = (line: string) => socket.write(`${line}\r\n`)
    socket.on('error', () => socket.destroy())
    sendLine('220 mail.test ESMTP')
    socket.on('data', (chunk) => {
      buffer += chunk.toString('utf8')
      for (;;) {
        if (isData) {
          const end = buffer.indexOf('\r\n.\r\n')
          if (end === -1) return
          this.mails.push({ ...mail, text: buffer.slice(0, end).replaceAll('\r\n..', '\r\n.') })
          buffer = buffer.slice(end + 5)
          mail = { from: '', to: [], text: '' }
          isData = false
          sendLine('250 taken')
          continue
        }
        const end = buffer.indexOf('\r\n')
        if (end === -1) return
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        this.commands.push(line)
        const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
        const refusal = this.refuse(line)
        if (refusal !== undefined) sendLine(refusal)
        else if (/^EHLO/i.test(line)) sendLine('250 mail.test')
        else if (/^MAIL FROM/i.test(line)) sendLine(((mail.from = address), '250 ok'))
        else if (/^RCPT TO/i.test(line)) sendLine((mail.to.push(address), '250 ok'))
        else if (/^DATA/i.test(line)) sendLine(((isData = true), '354 go on'))
        else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else if (/^STARTTLS/i.test(line)) sendLine('502 no')
        else sendLine('250 ok')
      }
    })
  }
}

/** Returns the decoded text of a mail with one part. */
export function textOf({ text }: Mail): string {
  const split = text.indexOf('\r\n\r\n')
  const [head, body] = [text.slice(0, split), text.slice(split + 4)]
  if (/content-transfer-encoding: base64/i.test(head)) {
    return Buffer.from(body, 'base64').toString('utf8')
  }
  if (/content-transfer-encoding: quoted-printable/i.test(head)) {
    const bytes = body
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16))
      )
    return Buffer.from(bytes, 'latin1').toString('utf8')
  }
  return body
}
