/** Returns hexadecimal digits, 0123456789abcdef0123... */
export const hex = (digits: number) => '0123456789abcdef'.repeat(8).slice(0, digits)

export const upper = (text: string) => text.toUpperCase()

/** Splits the text into two words. */
export const halves = (text: string) => `${text.slice(0, 20)} ${text.slice(20)}`
