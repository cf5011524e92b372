// Reads the code that a phone without network shows, with the camera or from a photo, and sends it
// as the form's text. No picture leaves this device.

/** @import { DecodeQR } from "qr/decode.js" */

const LOOK = 200; // ms between two looks at the camera's picture
const SIDE = 1600; // px of the longer side of the picture that is searched

const reader = /** @type {HTMLElement} */ (document.querySelector("[data-code-reader]"));
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-code-form]"));
const video = /** @type {HTMLVideoElement} */ (reader.querySelector("video"));
const start = /** @type {HTMLElement} */ (reader.querySelector("[data-code-camera]"));
const words = /** @type {HTMLElement} */ (reader.querySelector("[role=status]"));
const photo = /** @type {HTMLInputElement} */ (reader.querySelector("input[type=file]"));
const canvas = document.createElement("canvas");
const pen = /** @type {CanvasRenderingContext2D} */ (
  canvas.getContext("2d", { willReadFrequently: true })
);
const ownDetector = findDetector();

/** Return the browser's own reader of QR codes; null if it has none. */
async function findDetector() {
  if (!("BarcodeDetector" in window)) return null;
  const formats = await BarcodeDetector.getSupportedFormats();
  return formats.includes("qr_code") ? new BarcodeDetector({ formats: ["qr_code"] }) : null;
}

/**
 * Return the text of the code on a picture; null if there is none.
 * @param {HTMLVideoElement | ImageBitmap} picture
 * @param {number} width
 * @param {number} height
 */
async function read(picture, width, height) {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const detector = await ownDetector;
  if (detector) {
    const [code] = await detector.detect(canvas);
    return code?.rawValue ?? null;
  }
  const { decodeQR } = await import("./qr/decode.js");
  const decode = /** @type {DecodeQR} */ (decodeQR);
  try {
    return decode(pen.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    return null;
  }
}

/**
 * Send the text of a code. Return false if it isn't one of ours.
 * @param {string | null} text
 */
function take(text) {
  // The service says what is wrong with an older one.
  if (!text || !/^CUPS\d\./.test(text)) return false;
  form.elements.code.value = text;
  form.requestSubmit();
  return true;
}

async function watch() {
  const isOn = video.videoWidth > 0;
  const text = isOn ? await read(video, video.videoWidth, video.videoHeight) : null;
  if (take(text)) return;
  words.textContent = (text ? reader.dataset.strange : reader.dataset.look) ?? "";
  setTimeout(watch, LOOK);
}

/** Return the text of the code on a photo; null if there is none. */
async function readPhoto() {
  const file = photo.files?.[0];
  const picture = file && (await createImageBitmap(file).catch(() => null));
  return picture ? read(picture, picture.width, picture.height) : null;
}

start.addEventListener("click", async () => {
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1280 } },
    });
  } catch {
    words.textContent = reader.dataset.dark ?? "";
    return;
  }
  video.hidden = false;
  start.hidden = true;
  await video.play();
  watch();
});
photo.addEventListener("change", async () => {
  const text = await readPhoto();
  if (take(text)) return;
  words.textContent = (text ? reader.dataset.strange : reader.dataset.none) ?? "";
});
reader.hidden = false;
start.hidden = !navigator.mediaDevices;
