/** Whether nothing of what was typed became an element. */
export function unscripted(html: string): boolean {
  return !/<img src=x/i.test(html)
}
