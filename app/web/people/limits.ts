import { invalid } from '#exceptions/refusal'

const LONGEST_LINE = 255
const LONGEST_DESCRIPTION = 1024

/** Members of a user that are plain text, as forms send them. */
interface Profile {
  fullname?: string
  email?: string
  description?: string
}

/** The same as the API takes it. Throws a 400 `Refusal` that names the field and what it takes. */
export function profileOf({ fullname, email, description }: Profile): Profile {
  return {
    fullname: line('fullname', fullname),
    email: line('email', email?.trim()),
    description: descriptionOf(description),
  }
}

/** A description as the API takes it, with plain line breaks. Throws a 400 `Refusal` for one that is too long. */
export function descriptionOf(value: string | undefined): string | undefined {
  const text = value?.replaceAll('\r\n', '\n')
  if (text !== undefined && text.length > LONGEST_DESCRIPTION) {
    throw invalid(`Field 'description': may have ${LONGEST_DESCRIPTION} characters at most`)
  }
  return text
}

function line(field: string, value: string | undefined): string | undefined {
  if (value !== undefined && (value.length > LONGEST_LINE || /\p{Cc}/u.test(value))) {
    throw invalid(`Field '${field}': must be one line of ${LONGEST_LINE} characters at most`)
  }
  return value
}
