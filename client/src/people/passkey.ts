/** Passkeys: what the browser asks and answers, and the JSON in which the server reads it. */

import * as server from '../api/server'
import { say } from '../shell/texts.svelte'

type Json = Record<string, unknown>
interface Named extends Json {
  id: string
}

/** An address without a name, for which no browser has passkeys. */
const ADDRESS = /^[\d.]+$|:/

/** Whether this browser has passkeys for this page: over https, or on this machine. */
export const passkeysWork = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !ADDRESS.test(location.hostname)

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

export function toText(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(plain).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

const described = (list: unknown) =>
  ((list ?? []) as Named[]).map((each) => ({ ...each, id: toBytes(each.id) }))

/** Asks the browser for a passkey; says so if its dialog was closed without an answer. */
async function asked<T>(work: () => Promise<T | null>): Promise<T> {
  const answer = await work().catch(() => null)
  const sentence = say('web.passkey.closed')
  if (!answer)
    throw new server.Refused(0, { rule: '', key: '', sentence, lang: '', place: '', line: 0 })
  return answer
}

/** Makes a passkey for the account that is signed in; the list of all of them. */
export async function newPasskey(name: string) {
  const { options } = await server.beginPasskey()
  const user = options.user as Named
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge as string),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: described(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions
  const made = (await asked(() =>
    navigator.credentials.create({ publicKey }),
  )) as PublicKeyCredential
  const response = made.response as AuthenticatorAttestationResponse
  return server.addPasskey(name, {
    ...head(made),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
    },
  })
}

/** Signs in with a passkey that the browser lets the person choose. */
export async function passkeySignIn() {
  const { options } = await server.beginPasskeySignIn()
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge as string),
    allowCredentials: [],
  } as unknown as PublicKeyCredentialRequestOptions
  const chosen = (await asked(() =>
    navigator.credentials.get({ publicKey }),
  )) as PublicKeyCredential
  const response = chosen.response as AuthenticatorAssertionResponse
  return server.signInWithPasskey({
    ...head(chosen),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      userHandle: response.userHandle && toText(response.userHandle),
    },
  })
}

const head = (credential: PublicKeyCredential) => ({
  id: credential.id,
  rawId: toText(credential.rawId),
  type: credential.type,
})
