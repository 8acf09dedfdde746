import security from '#config/security'
import smtp from '#config/smtp'
import env from '#support/env'

/** Whether links for new passwords are sent by mail: they need the address at which browsers find the product. */
export function sendsResets(): boolean {
  return (
    security.password_reset.enabled &&
    smtp.host !== '' &&
    smtp.from !== '' &&
    env.get('APP_URL') !== undefined
  )
}
