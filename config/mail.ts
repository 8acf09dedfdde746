import { defineConfig, transports } from '@adonisjs/mail'
import smtp from '#config/smtp'

const TIMEOUT_MS = smtp.timeout * 1000

export default defineConfig({
  default: 'smtp',
  mailers: {
    smtp: transports.smtp({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.security === 'tls',
      requireTLS: smtp.security === 'starttls',
      ignoreTLS: smtp.security === 'none',
      ...(smtp.username === ''
        ? {}
        : { auth: { type: 'login', user: smtp.username, pass: smtp.password } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    }),
  },
})
