import security from '#config/security'
import smtp from '#config/smtp'
import env from '#support/env'

/**
 * Returns whether password reset links can be sent by mail. They need the public URL of the
 * application.
 */
export function canSendResets(): boolean {
  return (
    security.password_reset.enabled &&
    smtp.host !== '' &&
    smtp.from !== '' &&
    env.get('APP_URL') !== undefined
  )
}
