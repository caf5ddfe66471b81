// What JavaCPP includes: the whole shim, and two JNI functions on direct buffers that need no JavaCPP object.
#pragma once
#include <jni.h>

#include "calls.h"

extern "C" {

JNIEXPORT jlong JNICALL Java_io_nixlkv_nativeio_DirectBuffers_address(JNIEnv* env, jclass, jobject buffer) {
    return reinterpret_cast<jlong>(env->GetDirectBufferAddress(buffer));
}

JNIEXPORT jobject JNICALL Java_io_nixlkv_nativeio_DirectBuffers_view(JNIEnv* env, jclass, jlong address, jlong bytes) {
    return env->NewDirectByteBuffer(reinterpret_cast<void*>(address), bytes);
}
}
