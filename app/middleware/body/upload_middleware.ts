import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import interfaceSettings from '#config/interface'
import { yieldIfDue } from '#database/event_loop'
import { lineOfBadUtf8 } from '#exceptions/not_utf8'
import { invalid, Refusal } from '#exceptions/refusal'
import { readBytes } from '#middleware/body/body_reader'

const FORMS = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i

/** Bytes of a form besides its text: names of parts, a description, a reason. */
const OVERHEAD_BYTES = 65_536
/** Fields of a form at most: each costs more than its bytes. */
const MAX_FIELDS = 1_000
/** Bytes whose line breaks are converted between two pauses. */
const PIECE_BYTES = 262_144
const [PLUS, SPACE, RETURN, LINE_FEED] = ['+', ' ', '\r', '\n'].map((sign) => sign.charCodeAt(0))

/**
 * Reads forms with files in memory. A file becomes the text of its field, with its name in
 * `<field>_name`. A text has at most `interface.max_upload_bytes`, counted with "\n" as line
 * breaks, so that a previewed text can be submitted again. A repeated field becomes one line per
 * value. Requires a sign-in.
 */
export default class UploadMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (ctx.request.method() === 'GET' || ctx.request.method() === 'HEAD') {
      return next()
    }
    ctx.request.setInitialBody(await this.#fields(ctx))
    return next()
  }

  async #fields({ request, response }: HttpContext): Promise<Record<string, string>> {
    const type = request.header('content-type') ?? ''
    if (!FORMS.test(type)) {
      throw new Refusal(415, 'A form must be multipart/form-data')
    }
    const limit = {
      maxBytes: 2 * interfaceSettings.max_upload_bytes + OVERHEAD_BYTES,
      shownLimit: interfaceSettings.max_upload_bytes,
      setting: 'interface.max_upload_bytes',
    }
    const bytes = await readBytes(request.request, limit, () =>
      response.header('Connection', 'close')
    )
    const fields = await fieldsOf(bytes, type)
    checkSizes(fields)
    return fields
  }
}

async function fieldsOf(bytes: Buffer<ArrayBuffer>, type: string): Promise<Record<string, string>> {
  const [, boundary] = /\bboundary="?([^";]+)/i.exec(type) ?? []
  checkFields(bytes, boundary === undefined ? '&' : `\n--${boundary}`)
  const form = boundary === undefined ? plainForm(bytes) : await partsOf(bytes, type)
  const fields: Record<string, string> = {}
  for (const [name, value] of form) {
    const text = await unixLines(typeof value === 'string' ? value : await textOf(value))
    fields[name] = Object.hasOwn(fields, name) ? `${fields[name]}\n${text}` : text
    if (typeof value !== 'string') fields[`${name}_name`] = value.name
  }
  return fields
}

/** Throws a 413 `Refusal` for more than `MAX_FIELDS` fields. */
function checkFields(bytes: Buffer, separator: string): void {
  let fields = 0
  for (
    let position = bytes.indexOf(separator);
    position >= 0;
    position = bytes.indexOf(separator, position + 1)
  ) {
    if (++fields > MAX_FIELDS) {
      throw new Refusal(
        413,
        `The form has more than ${MAX_FIELDS} fields; allowed: at most ${MAX_FIELDS}`
      )
    }
  }
}

function partsOf(bytes: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  const parts = new Response(bytes, { headers: { 'content-type': type } }).formData()
  return parts.catch(() => {
    throw invalid('The form cannot be read')
  })
}

/** Blanks are replaced as bytes: URLSearchParams takes a second for ten million of them. */
function plainForm(bytes: Buffer): URLSearchParams {
  for (let position = 0; position < bytes.length; position++)
    if (bytes[position] === PLUS) bytes[position] = SPACE
  return new URLSearchParams(bytes.toString())
}

/** Throws a 413 `Refusal` for a text above the limit. */
function checkSizes(fields: Record<string, string>): void {
  const most = interfaceSettings.max_upload_bytes
  const isTooLong = Object.values(fields).some((text) => Buffer.byteLength(text) > most)
  if (isTooLong) {
    throw new Refusal(413, `The text is longer than ${most} bytes (interface.max_upload_bytes)`)
  }
}

/** The text of a file. Throws a 400 `Refusal` for binary content. */
async function textOf(file: File): Promise<string> {
  const bytes = Buffer.from(await file.arrayBuffer())
  const isUtf16 = bytes.length > 1 && bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    const what = `The file "${file.name.slice(0, 100)}" is not UTF-8 text`
    throw invalid(isUtf16 ? what : `${what}: line ${lineOfBadUtf8(bytes)} has invalid bytes`)
  }
}

/**
 * The text with "\n" as line breaks. Works on bytes: `replaceAll` makes a string of each line, which takes half a second for
 * millions of them.
 */
async function unixLines(text: string): Promise<string> {
  if (!text.includes('\r\n')) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (let position = 0; position < bytes.length; position++) {
    if (position % PIECE_BYTES === 0) await yieldIfDue()
    const isReturn = bytes[position] === RETURN && bytes[position + 1] === LINE_FEED
    if (!isReturn) bytes[length++] = bytes[position]
  }
  return bytes.toString('utf8', 0, length)
}
